import torch
from ignite.engine import Engine, Events, create_supervised_evaluator
from ignite.metrics import Accuracy, Loss


def run(model, train_loader, val_loader, epochs, device):
    opt = torch.optim.Adam(model.parameters(), 1e-3)
    criterion = torch.nn.CrossEntropyLoss()

    def update(engine, batch):
        model.train()
        opt.zero_grad()
        x, y = batch[0].to(device), batch[1].to(device)
        loss = criterion(model(x), y)
        loss.backward()
        opt.step()
        return loss.item()

    trainer = Engine(update)
    evaluator = create_supervised_evaluator(model, {"acc": Accuracy(), "nll": Loss(criterion)}, device)

    @trainer.on(Events.EPOCH_COMPLETED)
    def log(engine):
        evaluator.run(val_loader)
        print(engine.state.epoch, evaluator.state.metrics)

    trainer.run(train_loader, max_epochs=epochs)
