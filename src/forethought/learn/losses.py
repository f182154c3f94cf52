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
    logs = log_policies(logits, actions, counts)
    return functional.kl_div(logs, targets, reduction="sum") / len(counts), entropy_of(logs)


def log_likelihood(logits: Tensor, actions: Tensor, counts: Tensor, weights: Tensor) -> tuple[Tensor, Tensor]:
    """Return minus the weighted logarithms of policies, the mean over the rows, and the policies' entropy, in nats.

    Weights may be negative. With what each move won it is REINFORCE: descending it climbs the expected return.
    """
    logs = log_policies(logits, actions, counts)
    return -(weights * logs).sum() / len(counts), entropy_of(logs)


def log_policies(logits: Tensor, actions: Tensor, counts: Tensor) -> Tensor:
    """Return the logarithms of the policies over the legal actions; 0 for padding."""
    padding = torch.arange(actions.shape[1]) >= counts[:, None]
    legal = logits.gather(1, actions).masked_fill(padding, -torch.inf)
    # the logarithm of padding is -inf: 0 in its place keeps NaN out of the sums and stops the gradient
    return torch.log_softmax(legal, 1).masked_fill(padding, 0.0)


def entropy_of(logs: Tensor) -> Tensor:
    """Return the mean entropy of policies."""
    entropies: Tensor = torch.special.entr(logs.detach().exp())
    return entropies.sum() / len(logs)


def value_error(values: Tensor, targets: Tensor) -> Tensor:
    """Return the squared error of values [rows, columns], the mean over all of them; 0 where there are none."""
    return functional.mse_loss(values, targets, reduction="sum") / max(1, targets.numel())
