import torch


class GradTracker:
    def __init__(self, model):
        self.model, self.norms = model, []

    def record(self):
        self.norms.append(sum(p.grad.norm() ** 2 for p in self.model.parameters() if p.grad is not None).sqrt())


def train(model, dl, opt):
    tr = GradTracker(model)
    for x, y in dl:
        opt.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        tr.record()
        tr.norms.append(torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0))
        opt.step()
    return torch.stack(tr.norms).max()
