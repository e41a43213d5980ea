import torch
from ignite.engine import Events, create_supervised_evaluator, create_supervised_trainer
from ignite.metrics import Accuracy, Loss


def run(model, train_loader, val_loader, device):
    opt = torch.optim.SGD(model.parameters(), lr=0.01)
    crit = torch.nn.CrossEntropyLoss()
    trainer = create_supervised_trainer(model, opt, crit, device=device)
    evaluator = create_supervised_evaluator(model, metrics={"acc": Accuracy(), "nll": Loss(crit)}, device=device)
    history = []

    @trainer.on(Events.ITERATION_COMPLETED)
    def log(engine):
        history.append(engine.state.output)

    @trainer.on(Events.EPOCH_COMPLETED)
    def val(engine):
        evaluator.run(val_loader)
        print(engine.state.epoch, evaluator.state.metrics)

    trainer.run(train_loader, max_epochs=10)
