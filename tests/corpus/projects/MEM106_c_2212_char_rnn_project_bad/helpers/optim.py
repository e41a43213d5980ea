import torch


def make_optimizer(model, args):
    decay, rest = [], []
    for name, p in model.named_parameters():
        (decay if p.ndim > 1 else rest).append(p)
    return torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}], lr=args.lr)


def clip_and_step(model, optimizer, scheduler, norm):
    torch.nn.utils.clip_grad_norm_(model.parameters(), norm)
    optimizer.step()
    scheduler.step()
