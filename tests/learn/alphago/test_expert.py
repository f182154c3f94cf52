"""Games of the expert: random openings, its policies, no duplicates, the same whoever plays them."""

import numpy as np
import pytest

import forethought as ft
from forethought.evaluate.rounds import entrant
from forethought.games.reference import reference_to
from forethought.learn.alphago.expert import ExpertJob, GameCollection, opened, play_expert_games
from forethought.learn.alphago.settings import ExpertGamesSettings
from forethought.learn.episodes import Episode
from forethought.learn.run import SavedGame
from forethought.randomness import generator
from forethought.records.data_set import HELD_OUT, TRAIN, RecordSet, folded_digest
from forethought.runtime.executor import Stopped

GAME = "tic_tac_toe"


def played(expert: str = "uct:20", games: int = 6, **chosen: object) -> list[Episode]:
    job = ExpertJob(
        reference_to(ft.load(GAME)), entrant(expert), ExpertGamesSettings(**chosen), (3, 1), tuple(range(games))
    )
    return play_expert_games(job, lambda: False)


def saved(episode: Episode) -> SavedGame:
    about = {"actions": episode.actions, "returns": episode.returns, "setup": episode.setup}
    return SavedGame(episode.samples, about)


def test_a_game_is_the_same_in_any_company() -> None:
    together = played(games=4)
    for number in range(4):
        job = ExpertJob(reference_to(ft.load(GAME)), entrant("uct:20"), ExpertGamesSettings(), (3, 1), (number,))
        assert play_expert_games(job, lambda: False)[0].actions == together[number].actions


def test_every_decision_after_the_opening_becomes_a_sample() -> None:
    for episode in played(opening_plies=4):
        state, rows = ft.load(GAME).start(), []
        for ply, action in enumerate(episode.actions):
            legal = state.legal_actions()
            if ply >= episode.setup and len(legal) > 1:
                rows.append((tuple(state.facts(state.player)), tuple(legal), action))
            state.apply(action)
        assert state.is_terminal
        assert state.returns() == episode.returns
        assert [episode.samples.row(place)[:2] for place in range(episode.samples.rows)] == [row[:2] for row in rows]
        for place, (_, legal, action) in enumerate(rows):  # the best action is played
            policy = episode.samples.row(place)[2]
            assert policy[legal.index(action)] == max(policy)
            assert sum(policy) == pytest.approx(1.0)


def test_a_drawn_move_is_not_always_the_best() -> None:
    expert = "uct(simulations=20,temperature=1)"

    def best(episode: Episode) -> bool:
        actions = list(episode.actions[episode.setup :])
        rows = [episode.samples.row(place) for place in range(episode.samples.rows)]
        return all(
            dict(zip(legal, policy, strict=True))[action] == max(policy)
            for (_, legal, policy), action in zip(rows, actions, strict=False)
        )

    assert not all(best(one) for one in played(expert, plays="drawn"))
    assert all(best(one) for one in played(expert, plays="best"))


def test_openings_have_all_lengths_and_leave_something_to_decide() -> None:
    game = ft.load(GAME)
    lengths = {len(opened(game, 3, generator(1, seed)).actions) for seed in range(60)}
    assert lengths == {0, 1, 2, 3}
    assert not any(opened(game, 9, generator(2, seed)).state.is_terminal for seed in range(60))


def test_a_player_that_is_told_to_stop_does() -> None:
    job = ExpertJob(reference_to(ft.load(GAME)), entrant("random"), ExpertGamesSettings(), (3, 1), (0,))
    with pytest.raises(Stopped):
        play_expert_games(job, lambda: True)


def test_duplicates_are_left_out_and_symmetric_games_are_on_one_side() -> None:
    game, collection = ft.load(GAME), GameCollection(ft.load(GAME), keeps_policies=True)
    episodes = played(games=30, opening_plies=2)
    for _ in range(2):
        collection.add(map(saved, episodes))
    different = {tuple(one.actions) for one in episodes}
    records = collection.records(3, 0.4)
    assert len(collection) == len(records) == len(collection.policies) == len(different)
    train, held_out = (digests(game, records, part) for part in (TRAIN, HELD_OUT))
    assert min(len(train), len(held_out)) > 0
    assert not train & held_out
    for number, one in enumerate(records):
        rows = records.positions(np.array([number])).rows
        assert collection.policies[number].shape == (rows, game.actions)
        assert one.setup in {episode.setup for episode in episodes if episode.actions == one.actions}


def digests(game: ft.Game, records: RecordSet, part: str) -> set[bytes]:
    return {folded_digest(game, records[int(number)].actions) for number in records.games(part)}
