"""Generic poker as the OOS paper tells it: what each player has put into the pot, and the words of each round."""

from dataclasses import dataclass, field


@dataclass
class Table:
    """What lies on the table after some words of betting; `board` is the card that is dealt between the rounds."""

    raises: int
    bets: int
    cards: tuple[int, int]
    board: int
    put: list[int] = field(default_factory=lambda: [1, 1])  # chips of each player in the pot
    rounds: list[list[str]] = field(default_factory=lambda: [[]])  # words of each betting round
    winner: int | None = None  # by the other's fold

    @property
    def speaker(self) -> int:
        return len(self.rounds[-1]) % 2

    @property
    def over(self) -> bool:
        return self.winner is not None or len(self.rounds) == 3

    def choices(self) -> list[str]:
        """List what may be said, the passive words first."""
        words, unit = self.rounds[-1], 2 * len(self.rounds)
        aggressive = sum(word.startswith("raise") for word in words)
        more = [f"raise {unit * n}" for n in range(1, self.bets + 1)] if aggressive < 1 + self.raises else []
        return [*(["fold", "call"] if words and words[-1].startswith("raise") else ["check"]), *more]

    def say(self, word: str) -> None:
        me, words = self.speaker, self.rounds[-1]
        words.append(word)
        if word == "fold":
            self.winner = 1 - me
        elif word == "call":
            self.put[me] = self.put[1 - me]
        elif word.startswith("raise"):
            self.put[me] = self.put[1 - me] + int(word.removeprefix("raise "))
        if word == "call" or words == ["check", "check"]:
            self.rounds.append([])

    def won_by_player_0(self) -> int:
        if self.winner is not None:
            return self.put[1] if self.winner == 0 else -self.put[0]
        first, second = self.cards
        if first == second:
            return 0
        if self.board in self.cards:
            return self.put[0] if first == self.board else -self.put[0]
        return self.put[0] if first > second else -self.put[0]
