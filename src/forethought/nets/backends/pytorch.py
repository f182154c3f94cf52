"""Networks run by torch, on the CPU or on a CUDA device: for networks and machines where that is faster.

torch is imported when the backend is first used; compiled networks do not need it.
"""

import warnings
from collections.abc import Callable
from functools import singledispatch
from typing import TYPE_CHECKING, Any

from forethought.arrays import Int64s
from forethought.errors import ForethoughtError
from forethought.nets.backends import register_backend
from forethought.nets.convolution import Layout
from forethought.nets.evaluator import Evaluator
from forethought.nets.formats import NetworkWeights, Parameters
from forethought.nets.mlp import MlpWeights
from forethought.nets.questions import Questions
from forethought.nets.tower import EPSILON, TowerWeights

if TYPE_CHECKING:
    from torch import Tensor, device

AUTO, CPU, CUDA = DEVICES = ("auto", "cpu", "cuda")

Forward = Callable[["Tensor"], "tuple[Tensor, Tensor]"]  # one-hot facts [rows, facts] to logits and values


@register_backend("torch")
def run_by_torch(weights: NetworkWeights) -> Evaluator:
    """Run a network on a CUDA device if there is one, else on the CPU."""
    return TorchEvaluator(weights, AUTO)


@register_backend("torch-cpu")
def run_by_torch_on_cpu(weights: NetworkWeights) -> Evaluator:
    return TorchEvaluator(weights, CPU)


@register_backend("torch-cuda")
def run_by_torch_on_cuda(weights: NetworkWeights) -> Evaluator:
    return TorchEvaluator(weights, CUDA)


def torch_device(name: str) -> "device":
    """Return the device of this name; where CUDA is asked for and there is none, the CPU, with a warning."""
    torch = _torch()
    available = torch.cuda.is_available()
    if name == CUDA and not available:
        warnings.warn("There is no CUDA device here; torch runs on the CPU.", stacklevel=2)
    return torch.device(CUDA if available and name != CPU else CPU)  # type: ignore[no-any-return]


class TorchEvaluator:
    """A network that torch runs. Its answers are those of the compiled network up to rounding."""

    def __init__(self, weights: NetworkWeights, device: str) -> None:
        self._torch, self._device = _torch(), torch_device(device)
        with self._torch.inference_mode():
            self.facts, self.actions, self.values, self._forward = forward_of(weights, self._torch, self._device)
            self._places = self._torch.arange(max(self.facts, self.actions), device=self._device)

    def scratch(self, rows: int) -> None:
        """Return nothing: torch has its own memory."""

    def answer(self, questions: Questions, rows: int, scratch: None) -> None:  # noqa: ARG002
        with self._torch.inference_mode():
            facts, holds = self._listed(questions.facts, questions.known, rows)
            inputs = self._torch.zeros(rows, self.facts, device=self._device).scatter_add_(1, facts, holds.float())
            logits, values = self._forward(inputs)
            actions, legal = self._listed(questions.actions, questions.counts, rows)
            logits = logits.gather(1, actions).masked_fill_(~legal, -self._torch.inf)
            policies = logits.softmax(1).nan_to_num_(0.0)  # a row without a question has no legal action
            questions.policies[:rows, : policies.shape[1]] = policies.cpu().numpy()
            if questions.values.shape[1]:
                questions.values[:rows] = values.cpu().numpy()

    def _listed(self, numbers: Int64s, counts: Int64s, rows: int) -> "tuple[Tensor, Tensor]":
        """Return the numbers of each row, with 0 beyond its count, and which of them are within it."""
        width = max(1, int(counts[:rows].max()))
        found, count = self._tensor(numbers[:rows, :width]), self._tensor(counts[:rows])
        means = self._places[:width] < count[:, None]
        return found * means, means

    def _tensor(self, array: Int64s) -> "Tensor":
        found: Tensor = self._torch.tensor(array, device=self._device)
        return found


@singledispatch
def forward_of(weights: NetworkWeights, torch: Any, device: "device") -> tuple[int, int, int, Forward]:  # noqa: ARG001
    """Return how many facts, actions and values a network has, and its forward pass."""
    raise ForethoughtError(f"torch does not run networks of the kind {type(weights).__name__}; use backend=compiled.")


@forward_of.register(MlpWeights)
def forward_of_mlp(weights: MlpWeights, torch: Any, device: "device") -> tuple[int, int, int, Forward]:
    tensors = {name: torch.tensor(array, device=device) for name, array in weights.parameters.items()}
    layers, outputs = len(tensors) // 2, len(weights.parameters[f"bias{len(tensors) // 2 - 1}"])
    actions = outputs - weights.values

    def forward(inputs: "Tensor") -> "tuple[Tensor, Tensor]":
        units = torch.addmm(tensors["bias0"], inputs, tensors["weight0"])
        for layer in range(1, layers):
            units = torch.addmm(tensors[f"bias{layer}"], units.relu_(), tensors[f"weight{layer}"])
        return units[:, :actions], units[:, actions:].tanh()

    return len(weights.parameters["weight0"]), actions, weights.values, forward


@forward_of.register(TowerWeights)
def forward_of_tower(weights: TowerWeights, torch: Any, device: "device") -> tuple[int, int, int, Forward]:
    shape, layout = weights.shape, weights.shape.layout
    tower = folded_tower(torch, weights.parameters, torch.channels_last, device)
    return layout.facts, shape.actions, shape.values, lambda inputs: tower(planes_of(layout, inputs))


def folded_tower(torch: Any, parameters: Parameters, order: Any, device: Any = CPU) -> Any:
    """Return a tower as torch runs it best for play, batch norm being folded: from planes to logits and values."""
    blocks = sum(name.endswith(".second.weight") for name in parameters)
    tensors = {name: torch.tensor(array, device=device) for name, array in parameters.items()}
    fuse = torch.nn.utils.fusion.fuse_conv_bn_weights

    def folded(name: str) -> tuple[Any, Any]:
        weight, *norm = (tensors[f"{name}.{part}"] for part in ("weight", "mean", "variance", "scale", "offset"))
        table, bias = fuse(weight, None, *norm[:2], EPSILON, *norm[2:])
        return table.detach().contiguous(memory_format=order), bias.detach()

    layers = {name: folded(name) for name in (key.removesuffix(".scale") for key in tensors if key.endswith(".scale"))}

    def convolved(name: str, planes: Any) -> Any:
        return torch.conv2d(planes, *layers[name], padding="same")

    def connected(name: str, units: Any) -> Any:
        return torch.addmm(tensors[f"{name}.bias"], units, tensors[f"{name}.weight"])

    def forward(planes: Any) -> tuple[Any, Any]:
        features = convolved("input", planes.contiguous(memory_format=order)).relu_()
        for block in range(blocks):
            inner = convolved(f"block{block}.first", features).relu_()
            features = convolved(f"block{block}.second", inner).add_(features).relu_()
        policy, value = (convolved(name, features).relu_().flatten(1) for name in ("policy", "value"))
        values = connected("value.values", connected("value.hidden", value).relu_())
        return connected("policy.logits", policy), values.tanh_()

    return forward


def planes_of(layout: Layout, facts: "Tensor") -> "Tensor":
    """Return the planes of squares [rows, planes, height, width] for one-hot facts [rows, facts]."""
    rows, on_cells, squares = len(facts), layout.planes * layout.cells, layout.squares.tolist()
    planes = facts.new_zeros(rows, layout.inputs, layout.height * layout.width)
    planes[:, : layout.planes, squares] = facts[:, :on_cells].view(rows, layout.planes, layout.cells)
    planes[:, layout.planes :, squares] = 1.0
    whole = slice(layout.planes, layout.planes + layout.whole_facts)
    planes[:, whole] *= facts[:, on_cells:, None]
    return planes.view(rows, layout.inputs, layout.height, layout.width)


def _torch() -> Any:
    try:
        import torch  # noqa: PLC0415 (compiled networks do not need it)
    except ImportError:
        raise ForethoughtError("This backend needs torch; pip install 'forethought[train]'.") from None
    return torch
