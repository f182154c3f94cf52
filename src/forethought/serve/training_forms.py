"""Trainings as forms: which algorithms suit a game, what can be set, and which values the page may give.

Everything comes from the registered settings. A setting whose text names something is offered where that can be listed
or checked, a run or a player; what names a file, or may be any text, is not.
"""

from collections.abc import Mapping
from dataclasses import MISSING, Field
from typing import Any

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.learn.configuration import Configuration, configuration_from, keys_of, value_of
from forethought.learn.learner import LEARNERS, LearnerKind, recommended_learner, usual_presets
from forethought.runs import all_runs
from forethought.serve.errors import bad_request
from forethought.serve.game_catalogue import KINDS
from forethought.serve.player_catalogue import check_player, check_run
from forethought.serve.schemas.processes import FormSettingSchema, LearnerSchema, NewTrainingSchema
from forethought.settings import LARGEST, kind_of, wanted, write_value

ELSEWHERE = ("game", "algorithm", "preset", "workers")  # chosen otherwise, or not by clients
ANY_TEXT = (".*", ".+")  # patterns that admit any text


def list_learners(game: Game) -> list[LearnerSchema]:
    """List the algorithms that suit a game, the recommended one first."""
    suited = [kind for _, kind in LEARNERS if kind.suits(game)]
    try:
        first = recommended_learner(game)
    except ForethoughtError:
        first = ""
    return [_listed(kind, game, kind.name == first) for kind in sorted(suited, key=lambda kind: kind.name != first)]


def checked_configuration(new: NewTrainingSchema, game: Game, spec: str) -> Configuration:
    """Return the configuration that a client asks for, if everything in it may be given by one."""
    kind = LEARNERS.find(new.algorithm)
    if not kind.suits(game):
        raise bad_request(f"{new.algorithm} does not suit this game; /api/learners lists what does.")
    offered = {one.key for one in _settings(kind)}
    for key in new.settings:
        if key in keys_of(kind.configuration) and key not in offered:
            raise bad_request(f"The setting '{key}' cannot be given from the page.")
    flags = {"algorithm": new.algorithm, "preset": new.preset}
    configuration = configuration_from(
        spec, None, setting_texts(new.settings), new.algorithm, usual_presets(game), **flags
    )
    for key, one in keys_of(type(configuration)).items():
        _check_named(one.metadata["declared"].names, value_of(configuration, key))
    return configuration


def setting_texts(settings: Mapping[str, bool | int | float | str]) -> list[str]:
    """Return settings as `--set` takes them."""
    texts = {key: value if isinstance(value, str) else write_value(value) for key, value in settings.items()}
    return [f"{key}={text}" for key, text in texts.items()]


def _check_named(what: str, value: Any) -> None:
    if what == "player":
        check_player(value)
    elif what in ("run", "records") and value:
        check_run(value)
    elif what == "file" and value:
        raise bad_request("Settings that name a file cannot be given from the page.")


def _listed(kind: LearnerKind, game: Game, recommended: bool) -> LearnerSchema:
    about = (kind.configuration.__doc__ or "").strip().splitlines()[0]
    presets = {name: dict(values) for name, values in kind.presets.items()}
    return LearnerSchema(
        name=kind.name,
        label=kind.label,
        about=about,
        recommended=recommended,
        presets=presets,
        usual_preset=kind.usual_preset(game),
        settings=_settings(kind),
    )


def _settings(kind: LearnerKind) -> list[FormSettingSchema]:
    keys = keys_of(kind.configuration).items()
    return [_form_setting(key, one) for key, one in keys if key not in ELSEWHERE and _is_offered(one)]


def _is_offered(one: Field[Any]) -> bool:
    """Whether values of a setting can be listed, or checked by more than that they are text."""
    if kind_of(one) is not str or one.metadata["range"].words:
        return True
    names = one.metadata["declared"].names
    return names in ("run", "records", "player") or (not names and one.metadata["range"].pattern not in ANY_TEXT)


def _form_setting(key: str, one: Field[Any]) -> FormSettingSchema:
    limits, declared = one.metadata["range"], one.metadata["declared"]
    words = list(limits.words)
    if declared.names in ("run", "records"):
        words = ["", *(directory.name for directory in all_runs())]
    return FormSettingSchema(
        key=key,
        kind=KINDS[kind_of(one).__name__],
        default="" if one.default is MISSING else one.default,  # a seed is drawn
        words=words,
        low=_bound(max(limits.low, limits.above)),
        high=_bound(limits.high),
        range=wanted(one),
        about=declared.about,
    )


def _bound(limit: float) -> float | None:
    return limit if abs(limit) < LARGEST else None
