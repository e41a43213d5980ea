import torch
from ignite.engine import Engine, Events


def build(net, opt, crit):
    curve = []

    def process(engine, batch):
        x, y = batch
        opt.zero_grad()
        loss = crit(net(x), y)
        loss.backward()
        opt.step()
        curve.append(loss.item())
        return loss.item()

    trainer = Engine(process)

    @trainer.on(Events.EPOCH_COMPLETED)
    def show(engine):
        print(engine.state.epoch, torch.tensor([float(c) for c in curve]).mean())

    return trainer
