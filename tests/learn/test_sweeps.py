"""Files of sweeps: what they come to, and what is refused before anything is trained."""

from pathlib import Path

import pytest

from forethought.errors import ForethoughtError
from forethought.learn.metrics import IterationReport
from forethought.learn.run import Run
from forethought.learn.sweep_runs import forecast_seconds, is_complete, part_of, refuse_others
from forethought.learn.sweeps import MatchMeasure, Sweep, read_sweep
from tests.documentation import ROOT

EXPERIMENTS = sorted((ROOT / "experiments").glob("*.toml"))


def sweep_of(directory: Path, text: str) -> Sweep:
    (directory / "tried.toml").write_text(text)
    return read_sweep(directory / "tried.toml")


@pytest.mark.parametrize("file", EXPERIMENTS, ids=lambda file: file.stem)
def test_every_experiment_is_valid_and_has_three_seeds_or_more(file: Path) -> None:
    plan = read_sweep(file)
    assert {1, 2, 3} <= set(plan.seeds)
    assert len(plan.trainings) == len(plan.seeds) * len(plan.variants)
    assert len({training.run for training in plan.trainings}) == len(plan.trainings)


def test_there_are_experiments() -> None:
    assert len(EXPERIMENTS) >= 6


def test_variants_and_the_grid_are_multiplied(tmp_path: Path) -> None:
    plan = sweep_of(
        tmp_path,
        """
        game = "kuhn"
        iterations = 7
        seeds = [4, 2]
        [settings]
        games = 3
        search.linear = false
        [grid]
        search.prior = [0.5, 0.25]
        [variants.long]
        search.simulations = 900
        [variants.linear]
        search.linear = true
        """,
    )
    names = ["long, search.prior=0.5", "long, search.prior=0.25", "linear, search.prior=0.5"]
    assert [one.name for one in plan.variants][:3] == names
    assert len(plan.trainings) == 8
    first, last = plan.trainings[0].configuration, plan.trainings[-1].configuration
    assert (first.seed, first.iterations, first.games, last.seed) == (4, 7, 3, 2)
    assert (first.search.prior, first.search.simulations, first.search.linear) == (0.5, 900, False)
    assert (last.search.prior, last.search.linear, last.search.simulations) == (0.25, True, 40_000)
    assert plan.trainings[1].run == "tried-long-search.prior-0.5-seed2"


def test_a_file_without_variants_has_one(tmp_path: Path) -> None:
    plan = sweep_of(tmp_path, 'game = "kuhn"\npreset = "paper"\nseeds = [3]')
    assert [(one.run, one.variant.name) for one in plan.trainings] == [("tried-seed3", "default")]
    assert plan.trainings[0].configuration.search.prior == 0.0
    assert plan.measures.metrics == ("nashconv", "mean_return", "win_rate")


def test_a_variant_names_the_run_of_another_with_its_seed(tmp_path: Path) -> None:
    plan = sweep_of(
        tmp_path,
        'game = "kuhn"\nseeds = [1, 2]\n[variants.mmd]\nalgorithm = "mmd"\n[variants.on]\nlearning.start = "{mmd}"',
    )
    found = [one.configuration.learning.start for one in plan.trainings if one.variant.name == "on"]
    assert found == ["tried-mmd-seed1", "tried-mmd-seed2"]


def test_what_is_measured(tmp_path: Path) -> None:
    plan = sweep_of(
        tmp_path,
        'game = "kuhn"\n[measure]\nnashconv = true\nmetrics = ["loss"]\n[[measure.match]]\nagainst = "oos:20"\n'
        '[[measure.match]]\nplayer = "oos(net={run},simulations=5)"\ngames = 10\nseed = 4\nreport = "mean_return"',
    )
    assert (plan.measures.nashconv, plan.measures.metrics) == (True, ("loss",))
    first, second = plan.measures.matches
    assert first == MatchMeasure(against="oos:20", games=1000, seed=0, report="win_rate", player="")
    assert first.title == "win_rate against oos:20"
    assert second.title == "mean_return of oos(net={run},simulations=5) against random"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("game = 3", "game must be a text such as leduc."),
        ("seeds = [1]", "game must be a text such as leduc."),
        ('game = "leduk"', "There is no game 'leduk'; did you mean leduc?"),
        ('game = "kuhn"\nsed = 3', "there is no key 'sed'; did you mean seeds?"),
        ('game = "kuhn"\nat_once = 3', "there is no key 'at_once'; keys are game, seeds, algorithm,"),
        ('game = "kuhn"\nseeds = []', "seeds must be a list of different whole numbers at least 0, not []."),
        ('game = "kuhn"\nseeds = [1, 1]', "seeds must be a list of different whole numbers at least 0, not [1, 1]."),
        ('game = "kuhn"\nseeds = [-1]', "seeds must be a list of"),
        ('game = "kuhn"\nseeds = [true]', "seeds must be a list of"),
        ('game = "kuhn"\nalgorithm = "muzero"', "variant 'default': There is no algorithm 'muzero';"),
        ('game = "kuhn"\nalgorithm = "alphazero"', "variant 'default': alphazero does not suit kuhn."),
        ('game = "kuhn"\npreset = "mine"', "variant 'default': There is no preset 'mine' of exit-oos;"),
        ('game = "kuhn"\niterations = 0', "variant 'default': iterations must be a whole number at least 1, not 0."),
        ('game = "kuhn"\nsettings = 3', "settings must be a table of settings, not 3."),
        (
            'game = "kuhn"\n[settings]\nsearch.priro = 1',
            "There is no setting 'search.priro'; did you mean search.prior",
        ),
        ('game = "kuhn"\n[settings]\nevaluation.against = "me"', "variant 'default': There is no player 'me';"),
        ('game = "kuhn"\n[variants.a]\nsearch.prior = "x"', "variant 'a': search.prior must be a number"),
        ('game = "kuhn"\n[variants]\na = 3', "variants.a must be a table of settings, not 3."),
        (
            'game = "kuhn"\n[variants."a b"]\n[variants.a-b]',
            "the runs of the variants 'a b' and 'a-b' need other names",
        ),
        ('game = "kuhn"\n[variants.a]\nlearning.start = "{b}"', "variant 'a': {b} is no variant that can be trained"),
        ('game = "kuhn"\n[variants.a]\nlearning.start = "{a}"', "variant 'a': {a} is no variant that can be trained"),
        ('game = "kuhn"\n[grid]\nsearch.prior = 3', "grid.search.prior must be a list of values, not 3."),
        ('game = "kuhn"\n[measure]\nnashconf = true', "there is no key 'measure.nashconf'; did you mean nashconv?"),
        ('game = "kuhn"\n[measure]\nnashconv = 1', "measure: nashconv must be true or false, not 1."),
        ('game = "kuhn"\n[measure]\nplayer = "net:mine"', "measure: player must be a text such as net:{run}"),
        ('game = "kuhn"\n[measure]\nplayer = "nett:{run}"', "measure: There is no player 'nett'; did you mean net?"),
        ('game = "kuhn"\n[measure]\nmetrics = ["los"]', "there is no key 'measure.metrics.los'; did you mean loss?"),
        ('game = "kuhn"\n[measure]\nmetrics = "loss"', "measure.metrics must be a list of names, not 'loss'."),
        ('game = "kuhn"\n[[measure.match]]\nagainst = "x"', "measure: There is no player 'x';"),
        ('game = "kuhn"\n[[measure.match]]\ngame = 3', "measure: there is no key 'match.game'; did you mean games?"),
        ('game = "kuhn"\n[[measure.match]]\ngames = 0', "measure: games must be a whole number at least 1, not 0."),
        ('game = "kuhn"\n[measure]\nmatch = 3', "measure.match must be tables [[measure.match]]."),
        ('game = "kuhn"\n' + 2 * "[[measure.match]]\n", "measure.match: two matches are between the same players."),
        ("game = ", "it is not TOML: "),
    ],
)
def test_mistakes_are_one_sentence_with_file_and_key(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ForethoughtError) as refusal:
        sweep_of(tmp_path, text)
    assert str(refusal.value).startswith(f"{tmp_path / 'tried.toml'}: ")
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ForethoughtError, match="it cannot be read: No such file"):
        read_sweep(tmp_path / "none.toml")


# Runs on disk.


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path))
    return tmp_path


def reported(run: Run, *seconds: float) -> None:
    with run:
        for number, spent in enumerate(seconds, 1):
            run.report_iteration(IterationReport(number, {"seconds": spent}))


def test_a_run_is_complete_after_its_last_iteration(home: Path) -> None:
    (training,) = sweep_of(home, 'game = "kuhn"\niterations = 3').trainings
    assert not is_complete(training)
    run = Run.create(home / training.run, training.configuration)
    reported(run, 1.0, 1.0)
    assert not is_complete(training)
    reported(Run.open(home / training.run), 1.0, 1.0, 1.0)
    assert is_complete(training)


def test_a_run_is_complete_after_its_minutes_in_all_sittings(home: Path) -> None:
    (training,) = sweep_of(home, 'game = "kuhn"\nminutes = 1').trainings
    reported(Run.create(home / training.run, training.configuration), 30.0, 29.0)
    assert not is_complete(training)
    with Run.open(home / training.run) as run:
        run.report_iteration(IterationReport(3, {"seconds": 1.0}))
    assert is_complete(training)
    assert part_of(training.configuration, 3, 15.0) == 0.25
    assert forecast_seconds(None, [training]) == 60.0


def test_a_run_of_other_settings_is_refused(home: Path) -> None:
    plan = sweep_of(home, 'game = "kuhn"\niterations = 3\n[settings]\nworkers = 1')
    Run.create(home / "tried-seed1", plan.trainings[0].configuration).close()
    refuse_others(sweep_of(home, 'game = "kuhn"\niterations = 3'))  # workers change nothing
    said = "the run tried-seed1 exists and has iterations=3, not iterations=4; move that run away, or rename the file."
    with pytest.raises(ForethoughtError, match=said):
        refuse_others(sweep_of(home, 'game = "kuhn"\niterations = 4'))
    with pytest.raises(ForethoughtError, match="has algorithm=exit-oos, not algorithm=mmd"):
        refuse_others(sweep_of(home, 'game = "kuhn"\nalgorithm = "mmd"\niterations = 3'))
