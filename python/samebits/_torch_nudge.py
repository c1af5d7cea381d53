"""nudge(): weights moved by one rounding."""
import torch as _torch

from . import _torch_state as _state


def nudge(model, name=None, index=0, ulps=1, seed=0):
    """Move one weight by `ulps` units in its last place; without a name every weight by one unit, up or down at random. How much
    two runs differ that began so is what rounding alone makes."""
    weights = dict(_state.named_weights(model))
    if name is not None and name not in weights:
        raise ValueError(f"nudge: no parameter '{name}'; the network has {', '.join(list(weights)[:8])}, ...")
    with _torch.no_grad():
        if name is None:
            generator = _torch.Generator().manual_seed(seed)
            for p in weights.values():
                up = (_torch.rand(p.shape, generator=generator, device="cpu") < 0.5).to(p.device)
                p.copy_(_torch.where(up, _step(p, 1), _step(p, -1)))
            return
        p = weights[name]
        if not 0 <= index < p.numel():
            raise ValueError(f"nudge: '{name}' has {p.numel()} numbers, and index {index} is not among them")
        flat = p.detach().reshape(-1)[index].clone()
        for _ in range(abs(ulps)):
            flat = _step(flat, 1 if ulps > 0 else -1)
        position = []
        for size in reversed(p.shape):
            position.insert(0, index % size)
            index //= size
        p[tuple(position)] = flat


def _step(x, direction):
    """The next number above or below, of any floating type."""
    if x.dtype in (_torch.float32, _torch.float64, _torch.bfloat16):
        return _torch.nextafter(x, _torch.full_like(x, direction * float("inf")))
    return (x.view(_torch.int16) + _torch.where(x < 0, -direction, direction).to(_torch.int16)).view(x.dtype)
