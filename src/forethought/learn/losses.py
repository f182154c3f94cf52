"""How far the apprentice's policies are from the expert's, and its values from what was won."""

import torch
from torch import Tensor
from torch.nn import functional


def kl_divergence(logits: Tensor, actions: Tensor, counts: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
    """Return the Kullback-Leibler divergence of policies from their targets, and the policies' entropy, in nats.

    Both are means over the rows. A row's policy is the softmax of its logits at actions[:count], to be compared with
    targets[:count]; what lies beyond is padding, of which the targets are zero. Actions that are not listed have
    probability zero and get no gradient; targets of zero add nothing.
    """
    padding = torch.arange(actions.shape[1]) >= counts[:, None]
    legal = logits.gather(1, actions).masked_fill(padding, -torch.inf)
    # the logarithm of padding is -inf: 0 in its place keeps NaN out of the sums and stops the gradient
    logs = torch.log_softmax(legal, 1).masked_fill(padding, 0.0)
    loss = functional.kl_div(logs, targets, reduction="sum") / len(counts)
    entropy = torch.special.entr(logs.detach().exp()).sum() / len(counts)
    return loss, entropy


def value_error(values: Tensor, targets: Tensor) -> Tensor:
    """Return the squared error of values [rows, columns], the mean over all of them; 0 where there are none."""
    return functional.mse_loss(values, targets, reduction="sum") / max(1, targets.numel())
