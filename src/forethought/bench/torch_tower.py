"""The residual tower as torch runs it at its best for play: batch norm folded, in inference mode."""

from typing import Any

from forethought.nets.formats import Parameters
from forethought.nets.tower import EPSILON


def torch_tower(torch: Any, parameters: Parameters, order: Any) -> Any:
    """Return the tower with these parameters as a function of planes, which returns logits and values."""
    blocks = sum(name.endswith(".second.weight") for name in parameters)
    tensors = {name: torch.from_numpy(array) for name, array in parameters.items()}
    fuse = torch.nn.utils.fusion.fuse_conv_bn_weights

    def folded(name: str) -> tuple[Any, Any]:
        weight, *norm = (tensors[f"{name}.{part}"] for part in ("weight", "mean", "variance", "scale", "offset"))
        table, bias = fuse(weight, None, *norm[:2], EPSILON, *norm[2:])
        return table.detach().contiguous(memory_format=order), bias.detach()

    normed = [name.removesuffix(".scale") for name in tensors if name.endswith(".scale")]
    layers = {name: folded(name) for name in normed}

    def convolved(name: str, planes: Any) -> Any:
        return torch.conv2d(planes, *layers[name], padding="same")

    def connected(name: str, units: Any) -> Any:
        return torch.addmm(tensors[f"{name}.bias"], units, tensors[f"{name}.weight"])

    @torch.inference_mode()  # type: ignore[untyped-decorator]
    def tower(planes: Any) -> tuple[Any, Any]:
        features = convolved("input", planes.contiguous(memory_format=order)).relu_()
        for block in range(blocks):
            inner = convolved(f"block{block}.first", features).relu_()
            features = convolved(f"block{block}.second", inner).add_(features).relu_()
        policy, value = (convolved(name, features).relu_().flatten(1) for name in ("policy", "value"))
        values = connected("value.values", connected("value.hidden", value).relu_())
        return connected("policy.logits", policy), values.tanh_()

    return tower
