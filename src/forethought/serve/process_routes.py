"""The routes of what is started from the page: trainings, matches, ladders and studies."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from pydantic import ValidationError

from forethought.player import player_title
from forethought.serve import commands
from forethought.serve.errors import ERROR_RESPONSES, RequestError, conflict
from forethought.serve.player_titles import with_titles
from forethought.serve.schemas.processes import (
    LearnerSchema,
    NewLadderSchema,
    NewMatchSchema,
    NewStudySchema,
    NewTrainingSchema,
    ProcessSchema,
    ResumeSchema,
    StudyReportSchema,
    UserFileSchema,
)
from forethought.serve.services import TheServices
from forethought.serve.training_forms import list_learners


async def _check_may_start(services: TheServices) -> None:
    """Refuse to start anything on a server that anybody can reach."""
    if not (services.settings.access.is_local or services.settings.access.token):
        raise RequestError(403, "Nothing can be started on a server that others reach without a token.")


router = APIRouter(prefix="/api", responses=ERROR_RESPONSES)
starting = APIRouter(prefix="/api", responses=ERROR_RESPONSES, dependencies=[Depends(_check_may_start)])


@router.get("/learners")
async def learners(
    services: TheServices, game: Annotated[str, Query(min_length=1, max_length=200)]
) -> list[LearnerSchema]:
    """List the algorithms that suit a game with their settings, the recommended one first."""
    return await asyncio.to_thread(lambda: list_learners(services.games.plain(game)))


@router.get("/file")
async def user_file(services: TheServices) -> UserFileSchema:
    """Describe the file named on the command line: another version means that it was edited."""
    return await asyncio.to_thread(services.games.user_file)


@router.get("/processes")
async def processes(services: TheServices) -> list[ProcessSchema]:
    """List what was started from the page, the newest first."""
    return await asyncio.to_thread(services.processes.listed)


@starting.post("/processes/{process}/stop")
async def stop(services: TheServices, process: str) -> ProcessSchema:
    """Stop a process as Ctrl-C does."""
    return await asyncio.to_thread(services.processes.stop, process)


@starting.post("/processes/{process}/resume", status_code=201)
async def resume_contest(services: TheServices, process: str) -> ProcessSchema:
    """Go on with a match or a ladder that was stopped, whose rounds so far count."""

    def start() -> ProcessSchema:
        ended = services.processes.ended(process)
        started = services.processes.start(commands.continuation(ended, services.games))
        services.processes.remove(process)
        return started

    return await asyncio.to_thread(start)


@starting.delete("/processes/{process}", status_code=204)
async def forget(services: TheServices, process: str) -> None:
    """Forget a process that has ended, and what it found; a run that it trained stays."""
    await asyncio.to_thread(services.processes.remove, process)


@starting.post("/trainings", status_code=201)
async def start_training(services: TheServices, new: NewTrainingSchema) -> ProcessSchema:
    """Train a new run."""
    return await asyncio.to_thread(lambda: services.processes.start(commands.training(new, services.games)))


@starting.post("/runs/{name}/resume", status_code=201)
async def resume(services: TheServices, name: str, how: ResumeSchema) -> ProcessSchema:
    """Go on with a run."""

    def start() -> ProcessSchema:
        run = services.runs.run(name)
        if run.training:
            raise conflict(f"{name} is training.")
        directory = services.runs.directory(name)
        services.processes.wait_for(name)
        return services.processes.start(commands.resumption(directory, run.game, how, services.games))

    return await asyncio.to_thread(start)


@starting.post("/runs/{name}/stop")
async def stop_training(services: TheServices, name: str) -> ProcessSchema:
    """Stop the training of a run that was started from the page, as Ctrl-C does."""
    await asyncio.to_thread(services.runs.directory, name)
    return await asyncio.to_thread(services.processes.stop_training, name)


@starting.post("/matches", status_code=201)
async def start_match(services: TheServices, new: NewMatchSchema) -> ProcessSchema:
    """Play a match, whose rounds count in the ladder."""
    store = services.settings.matches
    return await asyncio.to_thread(lambda: services.processes.start(commands.match(new, services.games, store)))


@starting.post("/ladders", status_code=201)
async def start_ladder(services: TheServices, new: NewLadderSchema) -> ProcessSchema:
    """Play matches of all pairs."""
    store = services.settings.matches
    return await asyncio.to_thread(lambda: services.processes.start(commands.ladder(new, services.games, store)))


@starting.post("/studies", status_code=201)
async def start_study(services: TheServices, new: NewStudySchema) -> ProcessSchema:
    """Study a game."""
    return await asyncio.to_thread(lambda: services.processes.start(commands.study(new, services.games)))


@router.get("/studies/{study}", response_model=StudyReportSchema)
async def study(services: TheServices, study: str) -> Any:
    """Return what a study found."""
    found = await asyncio.to_thread(services.processes.result, study, "study")
    try:
        report = StudyReportSchema.model_validate({**found, "titles": {}})
        players = {report.planner, *(player for step in report.skill for player in (step.more, step.less))}
        titles = {player: player_title(player) for player in sorted(players)}
        titles[report.game] = services.games.title(report.game)
        findings = [with_titles(finding, players) for finding in report.findings]
        return report.model_copy(update={"titles": titles, "findings": findings})
    except ValidationError:
        raise conflict("This study was made by another version of forethought; study the game again.") from None
