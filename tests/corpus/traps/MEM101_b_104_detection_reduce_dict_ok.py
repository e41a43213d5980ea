import torch
import torch.distributed as dist


def reduce_dict(d):
    if not dist.is_initialized():
        return d
    with torch.no_grad():
        names = sorted(d)
        v = torch.stack([d[k] for k in names])
        dist.all_reduce(v)
        v /= dist.get_world_size()
        return dict(zip(names, v))


def train(model, dl, opt):
    seen = []
    for images, targets in dl:
        losses = model(images, targets)
        total = sum(losses.values())
        opt.zero_grad()
        total.backward()
        opt.step()
        reduced = reduce_dict({k: v.detach() for k, v in losses.items()})
        seen.append(sum(reduced.values()).item())
    return sum(seen) / len(seen)
