"""What AlphaGo's training is made of: a section of the configuration for each stage, and which iteration is whose."""

from dataclasses import dataclass, field
from typing import NamedTuple

from forethought.learn.board_networks import BoardLearning, BoardNetwork
from forethought.learn.configuration import Configuration
from forethought.learn.sections import LearningSettings, StartSettings
from forethought.settings import Settings, changed, setting

EXPERT_STAGE, IMITATION_STAGE, ROLLOUT_STAGE, POLICY_GRADIENT_STAGE, VALUE_STAGE = STAGES = (
    "expert",
    "imitation",
    "rollout",
    "policy_gradient",
    "value",
)
MOVE, POLICY = "move", "policy"  # what is imitated
NO_BASELINE, VALUE_BASELINE = "none", "value"


@dataclass(frozen=True, kw_only=True)
class StageSettings(Settings):
    """One stage."""

    iterations: int = setting("iterations of the stage; 0: it is left out", 0, low=0, high=10**9)


@dataclass(frozen=True, kw_only=True)
class ExpertGamesSettings(StageSettings):
    """Games of an expert, where there are no records."""

    iterations: int = changed(StageSettings, "iterations", 30)
    player: str = setting("the expert: a player's string", "uct:1600", example="uct:1600", pattern=".+", names="player")
    plays: str = setting(
        "how it moves: its most probable action, or drawn from its policy", "best", words=("best", "drawn")
    )
    opening_plies: int = setting("most random plies with which a game begins", 8, low=0)


@dataclass(frozen=True, kw_only=True)
class ImitationSettings(StageSettings):
    """The policy network that predicts the moves of games (SL)."""

    iterations: int = changed(StageSettings, "iterations", 10)
    records: str = setting(
        "games to imitate: a data set, a file or a run; empty: those of the expert",
        "",
        example="games.safetensors",
        names="records",
    )
    target: str = setting(
        "what is imitated: the move that was played, or the expert's whole policy", MOVE, words=(MOVE, POLICY)
    )
    epochs: float = setting("times that each game is learned from, in all iterations together", 3.0, above=0.0)
    held_out: float = setting("share of the games to judge by; a data set has its own", 0.05, low=0.0, high=0.9)
    rate: float = changed(LearningSettings, "rate", 1e-3)
    batch: int = changed(LearningSettings, "batch", 256)


@dataclass(frozen=True, kw_only=True)
class RolloutFitSettings(StageSettings):
    """The fast policy of roll-outs: linear on patterns, fitted to the games that are imitated; on boards."""

    iterations: int = changed(StageSettings, "iterations", 10)
    rate: float = changed(LearningSettings, "rate", 0.01)
    batch: int = changed(LearningSettings, "batch", 256)
    growth_positions: int = setting(
        "positions of each player by which a new pattern is chosen, one per iteration; 0: none is added", 100, low=0
    )


@dataclass(frozen=True, kw_only=True)
class PolicyGradientSettings(StageSettings):
    """The policy network that learns by winning against earlier ones (RL)."""

    iterations: int = changed(StageSettings, "iterations", 150)
    batch: int = setting("games per gradient step, all against one opponent of the pool, half in each seat", 128, low=2)
    rate: float = changed(LearningSettings, "rate", 2e-4)
    pool_every: int = setting("gradient steps after which the current network joins the pool", 50, low=1)
    baseline: str = setting(
        "what is taken from the result: nothing, or the value network of the run that it begins with",
        NO_BASELINE,
        words=(NO_BASELINE, VALUE_BASELINE),
    )


@dataclass(frozen=True, kw_only=True)
class ValueGamesSettings(StageSettings):
    """The value network, which predicts who wins games of the policy-gradient network."""

    iterations: int = changed(StageSettings, "iterations", 40)
    positions: int = setting("new positions per iteration", 5_000, low=1)
    positions_per_game: int = setting("positions of a game that are learned from; more than 1 overfits", 1, low=1)
    last_ply: int = setting(
        "last ply at which the random move may be made; 0: of the longest of some games of the imitation network",
        0,
        low=0,
    )
    steps: int = changed(LearningSettings, "steps", 200)
    rate: float = changed(LearningSettings, "rate", 1e-3)
    batch: int = changed(LearningSettings, "batch", 256)
    held_out: float = changed(ImitationSettings, "held_out")


@dataclass(frozen=True, kw_only=True)
class AlphaGoNetwork(BoardNetwork):
    """What the networks are made of: all of one kind and size."""

    start: str = changed(StartSettings, "start")


@dataclass(frozen=True, kw_only=True)
class AlphaGoLearning(Settings):
    """What learning has in common in all stages."""

    weight_decay: float = changed(LearningSettings, "weight_decay", 1e-4)
    symmetries: bool = changed(LearningSettings, "symmetries", True)
    device: str = changed(LearningSettings, "device")
    threads: int = changed(BoardLearning, "threads")


class Place(NamedTuple):
    """Where an iteration is."""

    stage: str
    number: int  # of the iteration in its stage, from 0


@dataclass(frozen=True, kw_only=True)
class AlphaGoConfiguration(Configuration):
    """AlphaGo, from games to a value network; without a number of iterations, those of all stages."""

    algorithm: str = changed(Configuration, "algorithm", "alphago")
    iterations: int = changed(Configuration, "iterations", 0, low=0)
    games: int = changed(Configuration, "games", 1024)
    network: AlphaGoNetwork = field(default_factory=AlphaGoNetwork)
    learning: AlphaGoLearning = field(default_factory=AlphaGoLearning)
    expert: ExpertGamesSettings = field(default_factory=ExpertGamesSettings)
    imitation: ImitationSettings = field(default_factory=ImitationSettings)
    rollout: RolloutFitSettings = field(default_factory=RolloutFitSettings)
    policy_gradient: PolicyGradientSettings = field(default_factory=PolicyGradientSettings)
    value: ValueGamesSettings = field(default_factory=ValueGamesSettings)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.iterations == 0:
            object.__setattr__(self, "iterations", max(1, self.planned))

    @property
    def planned(self) -> int:
        """Iterations of all stages."""
        return sum(self.length(stage) for stage in STAGES)

    def length(self, stage: str) -> int:
        """Return the iterations of a stage: where there are records, no expert plays."""
        if stage == EXPERT_STAGE and self.imitation.records:
            return 0
        settings: StageSettings = getattr(self, stage)
        return settings.iterations

    def place(self, iteration: int) -> Place:
        """Return where an iteration is; the last stage goes on, if there are more than planned."""
        begin, last = 1, Place(EXPERT_STAGE, iteration - 1)
        for stage in STAGES:
            if self.length(stage):
                last = Place(stage, iteration - begin)
                begin += self.length(stage)
                if iteration < begin:
                    break
        return last

    def stage(self, iteration: int) -> str:
        return self.place(iteration).stage
