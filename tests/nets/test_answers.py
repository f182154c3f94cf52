"""Networks in kernels against NumPy in doubles, and against torch where it is installed."""

import numpy as np
import pytest

import forethought as ft
from forethought.nets.evaluator import answer_of, policy_of
from forethought.nets.mlp import Mlp, answer_by_mlp, make_mlp, mlp_of, parameters_of
from tests.naive import mlp as naive
from tests.nets.batches import UNTOUCHED, Asked, random_batch

SHAPES = [
    (30, 3, (128,)),
    (56, 6, (128, 64)),
    (210, 13, (128, 128, 64)),
    (7, 1, (1,)),
    (33, 40, (31, 33, 5)),
    (5, 2, ()),
    (64, 100, (257, 96)),
]


def random_net(facts: int, actions: int, hidden: tuple[int, ...], seed: int, values: int = 0) -> Mlp:
    """A network that says something definite everywhere."""
    rng = np.random.default_rng(seed)
    shapes = parameters_of(make_mlp(facts, actions, hidden, rng, values))
    parameters = {}
    for name, array in shapes.items():
        spread = 1.0 if array.ndim == 1 else np.sqrt(1 / len(array))
        parameters[name] = rng.normal(0.0, spread, array.shape).astype(np.float32)
    return mlp_of(parameters, values)


def answered(net: Mlp, batch: Asked, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Policies, and so many columns of values."""
    rows = len(batch.known)
    questions = batch.questions(columns)
    net.answer(questions, rows, net.scratch(rows))
    return questions.policies, questions.values


def evaluated(net: Mlp, batch: Asked) -> np.ndarray:
    return answered(net, batch, 0)[0]


@pytest.mark.parametrize(("facts", "actions", "hidden"), SHAPES)
def test_policies_are_those_of_numpy(facts: int, actions: int, hidden: tuple[int, ...]) -> None:
    net, batch = random_net(facts, actions, hidden, 1), random_batch(facts, actions, 23, 2)
    parameters, policy = parameters_of(net), evaluated(net, batch)
    for row in range(23):
        expected = naive.policy(parameters, *batch.listed(row))
        assert np.abs(policy[row, : batch.counts[row]] - expected).max() < 1e-5


def test_the_networks_compared_are_neither_uniform_nor_certain() -> None:
    net, batch = random_net(210, 13, (128, 128, 64), 1), random_batch(210, 13, 23, 2)
    policy = evaluated(net, batch)
    assert 0.12 < policy[-1].max() < 0.999
    assert np.abs(policy[-1] - policy[-2]).max() > 0.01


@pytest.mark.parametrize(("facts", "actions", "hidden"), SHAPES)
def test_only_legal_actions_get_anything_and_they_get_all(facts: int, actions: int, hidden: tuple[int, ...]) -> None:
    batch = random_batch(facts, actions, 23, 3)
    policy = evaluated(random_net(facts, actions, hidden, 4), batch)
    for row, count in enumerate(batch.counts):
        assert policy[row, :count].sum() == pytest.approx(1.0, abs=1e-12)
        assert (policy[row, :count] > 0).all()
        assert (policy[row, count:] == UNTOUCHED).all()


def test_illegal_logits_have_no_influence() -> None:
    parameters = parameters_of(random_net(20, 6, (16,), 5))
    before = policy_of(mlp_of(parameters), [1, 3], [0, 2, 5])
    parameters["bias1"][[1, 3, 4]] = 1e30
    assert np.array_equal(policy_of(mlp_of(parameters), [1, 3], [0, 2, 5]), before)


@pytest.mark.parametrize(
    ("logits", "expected"),
    [
        ([1e30, -1e30, 0.0], [1.0, 0.0, 0.0]),
        ([-1e30, -1e30, -1e30], [1 / 3, 1 / 3, 1 / 3]),
        ([1000.0, 1000.0, 999.0], [1 / (2 + np.exp(-1)), 1 / (2 + np.exp(-1)), np.exp(-1) / (2 + np.exp(-1))]),
        ([-2000.0, -2001.0, -1e6], [1 / (1 + np.exp(-1)), np.exp(-1) / (1 + np.exp(-1)), 0.0]),
    ],
)
def test_extreme_logits_are_stable(logits: list[float], expected: list[float]) -> None:
    net = mlp_of({"weight0": np.zeros((2, 3), np.float32), "bias0": np.array(logits, np.float32)})
    assert policy_of(net, [1], [0, 1, 2]) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("facts", "actions", "hidden"), SHAPES)
def test_a_state_gets_the_same_bits_in_any_batch(facts: int, actions: int, hidden: tuple[int, ...]) -> None:
    net, batch = random_net(facts, actions, hidden, 6), random_batch(facts, actions, 21, 7)
    whole = evaluated(net, batch)
    for rows in (slice(0, 1), slice(20, 21), slice(3, 5), slice(4, 11), slice(20, None, -1)):
        assert np.array_equal(evaluated(net, batch.part(rows)), whole[rows])
    assert np.array_equal(policy_of(net, *batch.listed(9)), whole[9, : batch.counts[9]])


def test_what_earlier_batches_left_in_the_scratch_does_not_matter() -> None:
    net, batch = random_net(40, 5, (33, 20), 8), random_batch(40, 5, 9, 9)
    clean, questions, scratch = evaluated(net, batch), batch.questions(0), net.scratch(30)
    scratch.here[:], scratch.there[:] = np.nan, np.nan
    net.answer(questions, 9, scratch)
    assert np.array_equal(questions.policies, clean)


def test_one_kernel_serves_networks_of_any_depth_and_number_of_values() -> None:
    if not hasattr(answer_by_mlp, "signatures"):
        pytest.skip("kernels are not compiled here")
    counts = set()
    for facts, actions, hidden in SHAPES:
        for columns in (0, 1, 2):
            answered(random_net(facts, actions, hidden, 1, columns), random_batch(facts, actions, 4, 2), columns)
            counts.add(
                len(answer_by_mlp.signatures)
            )  # other tests of this process may have compiled it for other types
    assert len(counts) == 1


@pytest.mark.parametrize("columns", [1, 3])
@pytest.mark.parametrize(("facts", "actions", "hidden"), SHAPES)
def test_values_are_those_of_numpy(facts: int, actions: int, hidden: tuple[int, ...], columns: int) -> None:
    """Beside 31 and 32 actions they stand where one panel ends and another begins, else somewhere within."""
    for beside in (actions, 31, 32):
        net, batch = random_net(facts, beside, hidden, 1, columns), random_batch(facts, beside, 23, 2)
        parameters, (policy, values) = parameters_of(net), answered(net, batch, columns)
        for row in range(23):
            known, legal = batch.listed(row)
            assert np.abs(values[row] - naive.values(parameters, known, columns)).max() < 1e-5
            assert np.abs(policy[row, : len(legal)] - naive.policy(parameters, known, legal)).max() < 1e-5


def test_who_asks_for_no_values_gets_the_same_policies() -> None:
    net, batch = random_net(56, 6, (128, 64), 1, values=2), random_batch(56, 6, 23, 2)
    assert np.array_equal(answered(net, batch, 0)[0], answered(net, batch, 2)[0])


def test_a_state_gets_the_same_values_in_any_batch() -> None:
    net, batch = random_net(33, 40, (31, 33, 5), 6, values=3), random_batch(33, 40, 21, 7)
    _, whole = answered(net, batch, 3)
    assert np.ptp(whole, axis=0).min() > 0.01  # states differ
    for rows in (slice(0, 1), slice(3, 5), slice(4, 11), slice(20, None, -1)):
        assert np.array_equal(answered(net, batch.part(rows), 3)[1], whole[rows])
    policy, values = answer_of(net, *batch.listed(9))
    assert np.array_equal(policy, policy_of(net, *batch.listed(9)))
    assert np.array_equal(values, whole[9])


def test_only_rows_of_the_batch_are_written() -> None:
    net, batch = random_net(20, 4, (16,), 1, values=2), random_batch(20, 4, 9, 2)
    questions = batch.questions(2)
    net.answer(questions, 5, net.scratch(9))
    assert (questions.values[:5] != UNTOUCHED).all()
    assert (questions.values[5:] == UNTOUCHED).all()
    assert (questions.policies[5:] == UNTOUCHED).all()


def test_values_stay_between_minus_one_and_one() -> None:
    bias = np.array([0.0, 0.0, 1e30, -1e30, 0.5], np.float32)
    net = mlp_of({"weight0": np.zeros((2, 5), np.float32), "bias0": bias}, values=3)
    policy, values = answer_of(net, [1], [0, 1])
    assert policy.tolist() == [0.5, 0.5]
    assert values == pytest.approx([1.0, -1.0, np.tanh(0.5)], abs=1e-15)


def test_a_network_answers_for_the_observations_of_a_game() -> None:
    game = ft.load("leduc")
    net = make_mlp(game.facts, game.actions, (128,), np.random.default_rng(3))
    s = game.start()
    while not s.is_terminal:
        if not s.is_chance:
            seen = s.observation(s.player)
            expected = naive.policy(parameters_of(net), list(seen.facts), list(seen.legal_actions))
            assert policy_of(net, seen.facts, seen.legal_actions) == pytest.approx(expected, abs=1e-5)
            assert np.abs(expected - 1 / len(expected)).max() < 0.1  # a new network plays nearly uniformly
        s.apply(s.legal_actions()[0])


def test_facts_and_actions_of_another_game_are_refused() -> None:
    net = random_net(9, 2, (4,), 1, values=1)
    with pytest.raises(ft.ForethoughtError, match="has no fact 9"):
        policy_of(net, [0, 9], [0, 1])
    with pytest.raises(ft.ForethoughtError, match="has no action -1"):
        policy_of(net, [0], [-1, 1])
    with pytest.raises(ft.ForethoughtError, match="has no action 2"):  # which is where its value is
        policy_of(net, [0], [0, 2])


@pytest.mark.parametrize(("facts", "actions", "hidden"), SHAPES)
def test_policies_are_those_of_torch(facts: int, actions: int, hidden: tuple[int, ...]) -> None:
    torch = pytest.importorskip("torch")
    net, batch = random_net(facts, actions, hidden, 1), random_batch(facts, actions, 23, 2)
    parameters, policy = parameters_of(net), evaluated(net, batch)
    layers: list = []
    for layer in range(len(parameters) // 2):
        weight, bias = parameters[f"weight{layer}"], parameters[f"bias{layer}"]
        linear = torch.nn.Linear(*weight.shape)
        linear.load_state_dict({"weight": torch.tensor(weight.T.copy()), "bias": torch.tensor(bias)})
        layers += [linear, torch.nn.ReLU()]
    apprentice = torch.nn.Sequential(*layers[:-1])
    for row in range(23):
        known, legal = batch.listed(row)
        inputs = torch.zeros(facts)
        inputs[known] = 1.0
        with torch.no_grad():
            expected = torch.softmax(apprentice(inputs)[legal], 0).numpy()
        assert np.abs(policy[row, : len(legal)] - expected).max() < 1e-5
