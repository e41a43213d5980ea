import torch


def average_checkpoints(paths):
    avg = None
    for p in paths:
        sd = torch.load(p, map_location="cpu")["model"]
        if avg is None:
            avg = {k: v.clone().float() for k, v in sd.items()}
        else:
            for k in avg:
                avg[k] += sd[k].float()
    return {k: v / len(paths) for k, v in avg.items()}


class EMA:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = {n: p.detach().clone() for n, p in model.named_parameters()}

    def update(self, model):
        for n, p in model.named_parameters():
            self.shadow[n] = self.decay * self.shadow[n] + (1 - self.decay) * p.data


def fedavg(global_model, clients):
    w = {k: torch.zeros_like(v) for k, v in global_model.state_dict().items()}
    for c in clients:
        for k, v in c.state_dict().items():
            w[k] += v / len(clients)
    global_model.load_state_dict(w)
