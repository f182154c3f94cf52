"""The settings of the server: its game file, who may use it, and how much they may ask for."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from forethought.runs import matches_file
from forethought.serve.access import AccessRules


@dataclass(frozen=True)
class ServerLimits:
    """The most that the server gives to one client, and to all of them together."""

    body: int = 64 * 1024  # bytes of a request
    header_seconds: float = 10.0  # until the headers of a request have arrived completely
    body_seconds: float = 10.0  # until a request has arrived completely
    requests_per_second: float = 100.0  # of one client, on average
    requests_at_once: float = 400.0  # of one client, after a pause
    wrong_tokens_per_second: float = 1.0  # of one client; beyond that each is answered late
    wrong_tokens_at_once: float = 10.0
    late_answers: int = 32  # that are waited for at once, over all clients
    late_seconds: float = 1.0
    streams: int = 128  # open at once, of one client
    sessions: int = 256
    sessions_per_client: int = 64
    threads: int = os.cpu_count() or 1  # that search for players' moves, and as many for thoughts
    search_seconds: float = 30.0  # of any search, whatever its budget
    infosets: int = 2_000_000  # that bots remember, over all games; others think again about what they had decided
    compilations: int = max(2, os.cpu_count() or 1)  # processes that compile at once
    processes: int = 2  # trainings, matches, ladders and studies at once that were started from the page
    review_seconds: float = 30.0  # of one review, without the time that compilation takes
    pause: float = 0.4  # seconds between two moves where only bots play, so that a person can follow


@dataclass(frozen=True)
class ServerSettings:
    """What the command line chooses."""

    file: str | None = None  # the only game file that can be played
    access: AccessRules = field(default_factory=AccessRules)
    limits: ServerLimits = field(default_factory=ServerLimits)
    warm: bool = False  # compile common searches in the background when the server starts
    matches: Path = field(default_factory=matches_file)
