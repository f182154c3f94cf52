"""Kuhn poker for three: four cards, one bet. A user's game with more than two players."""

from numpy import int8

from forethought import CHANCE, EVERYONE, TERMINAL, Game, record

PLAYERS, CARDS = 3, 4
PASS, BET = 0, 1


def kuhn3() -> Game:
    state = record(dealt=int8, cards=(int8, PLAYERS), moves=int8, acts=(int8, 5), bettor=int8)

    def start(s):
        s.bettor = -1

    def player(s):
        if s.dealt < PLAYERS:
            return CHANCE
        last = PLAYERS if s.bettor < 0 else s.bettor + PLAYERS
        return TERMINAL if s.moves == last else s.moves % PLAYERS

    def legal(s, out):
        if s.dealt == PLAYERS:
            out[0], out[1] = PASS, BET
            return 2
        n = 0
        for card in range(CARDS):
            free = True
            for who in range(s.dealt):
                if s.cards[who] == card:
                    free = False
            if free:
                out[n] = card
                n += 1
        return n

    def chance(s, out):
        left = CARDS - s.dealt
        for i in range(left):
            out[i] = 1.0 / left

    def apply(s, action):
        if s.dealt < PLAYERS:
            s.cards[s.dealt] = action
            s.dealt += 1
            return
        if action == BET and s.bettor < 0:
            s.bettor = s.moves
        s.acts[s.moves] = action
        s.moves += 1

    def stays(s, who):
        """Does this player show its card: everybody if nobody bet, else whoever bet or called?"""
        if s.bettor < 0:
            return True
        for t in range(s.bettor, s.moves):
            if t % PLAYERS == who and s.acts[t] == BET:
                return True
        return False

    def returns(s, out):
        pot, winner = 0, -1
        for who in range(PLAYERS):
            paid = 2 if s.bettor >= 0 and stays(s, who) else 1
            out[who] = -paid
            pot += paid
            if stays(s, who) and (winner < 0 or s.cards[who] > s.cards[winner]):
                winner = who
        out[winner] += pot

    def facts(s, observer, out):
        n = 0
        if 0 <= observer < s.dealt:
            out[n] = s.cards[observer]
            n += 1
        for t in range(s.moves):
            out[n] = CARDS + 2 * t + s.acts[t]
            n += 1
        return n

    def sees(s, action, observer):
        return s.dealt in (PLAYERS, observer)

    def show(s, observer):
        hands = ["?" if observer not in (who, EVERYONE) else str(card) for who, card in enumerate(s.cards)]
        return f"cards {' '.join(hands)}  acts {list(s.acts)[: s.moves]}"

    return Game(
        name="kuhn3",
        players=PLAYERS,
        actions=2,
        outcomes=CARDS,
        facts=CARDS + 10,
        plies=PLAYERS + 5,
        record=state,
        hidden=True,
        rules=[start, player, legal, chance, apply, returns, facts, sees, show],
    )
