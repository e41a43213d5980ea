import torch
import torch.nn.functional as F
from ignite.engine import Engine, Events
from ignite.metrics import Accuracy, RunningAverage
from torch import nn, optim

model = nn.Sequential(nn.Flatten(), nn.Linear(784, 300), nn.ReLU(), nn.Linear(300, 10))
optimizer = optim.SGD(model.parameters(), lr=0.01, momentum=0.8)
collected = []


def update(engine, batch):
    model.train()
    x, y = batch
    optimizer.zero_grad()
    y_pred = model(x)
    loss = F.cross_entropy(y_pred, y)
    loss.backward()
    optimizer.step()
    collected.append(loss.item())
    return loss.item()


def inference(engine, batch):
    model.eval()
    x, y = batch
    with torch.no_grad():
        return model(x), y


trainer = Engine(update)
evaluator = Engine(inference)
RunningAverage(output_transform=lambda o: o).attach(trainer, "loss")
Accuracy().attach(evaluator, "acc")


@trainer.on(Events.EPOCH_COMPLETED)
def report(engine):
    evaluator.run(val_loader)
    print(engine.state.epoch, engine.state.metrics["loss"], evaluator.state.metrics["acc"])


def main(tr, va):
    global val_loader
    val_loader = va
    trainer.run(tr, max_epochs=20)
