import torch


class Base:
    def __init__(self, model):
        self.model = model

    @torch.no_grad()
    def evaluate(self, dl):
        self.model.eval()
        res = []
        for i, batch in enumerate(dl):
            res.append(self.eval_step(batch, i))
        return self.reduce(res)

    def eval_step(self, batch, i):
        raise NotImplementedError

    def reduce(self, res):
        return torch.stack(res).mean().item()


class Seg(Base):
    def eval_step(self, batch, i):
        logits = self.model(batch["img"])
        return (logits.argmax(1) == batch["gt"]).float().mean()


class Reg(Base):
    def eval_step(self, batch, i):
        err = 0.0
        for crop in batch["crops"]:
            err += (self.model(crop) - batch["y"]).abs().mean()
        return err / len(batch["crops"])
