import torch
import torch.distributed as dist


def reduce_mean(t, n):
    t = t.clone()
    dist.all_reduce(t)
    return t / n


def validate(accelerator, model, loader, device):
    top1, ids = [], []
    with torch.no_grad():
        for x, y in loader:
            out = model(x.to(device))
            hit = (out.argmax(1) == y.to(device)).float().mean()
            top1.append(reduce_mean(hit, dist.get_world_size()).item())
            ids.append(accelerator.gather(out.argmax(1)).cpu())
            acc = [torch.zeros_like(hit) for _ in range(dist.get_world_size())]
            dist.all_gather(acc, hit)
            top1.append(torch.stack(acc).mean().item())
    return top1, ids
