import torch


def predict_loop(model, loader):
    model.eval()
    out = []
    for x, _ in loader:
        out.append(model(x).softmax(1))
    return torch.cat(out)


def accuracy(probs, y):
    return (probs.argmax(1) == y).float().mean().item()


class Job:
    def __init__(self, model, loader, y):
        self.model, self.loader, self.y = model, loader, y

    def report(self):
        with torch.inference_mode():
            probs = predict_loop(self.model, self.loader)
        return accuracy(probs, self.y)

    @torch.no_grad()
    def entropy(self):
        p = predict_loop(self.model, self.loader)
        return -(p * p.log()).sum(1).mean().item()
