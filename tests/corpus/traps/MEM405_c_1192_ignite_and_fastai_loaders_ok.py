"""Frameworks that own the loop: nothing here is rebuilt, cached or moved in workers."""
import torch
from fastai.data.core import DataLoaders
from fastai.learner import Learner
from ignite.engine import Events, create_supervised_evaluator, create_supervised_trainer
from ignite.handlers import Checkpoint, DiskSaver
from torch.utils.data import DataLoader, TensorDataset


def data():
    ds = TensorDataset(torch.rand(512, 8), torch.rand(512, 1))
    return DataLoader(ds, 64, shuffle=True), DataLoader(ds, 64)


def with_ignite(net, resume=None):
    train, val = data()
    opt = torch.optim.SGD(net.parameters(), 0.1)
    trainer = create_supervised_trainer(net, opt, torch.nn.MSELoss(), device="cuda")
    evaluator = create_supervised_evaluator(net, device="cuda")
    to_save = {"net": net, "opt": opt}

    @trainer.on(Events.EPOCH_COMPLETED)
    def validate(engine):
        evaluator.run(val)
        torch.cuda.empty_cache()

    @trainer.on(Events.ITERATION_COMPLETED(every=1000))
    def flush(engine):
        torch.cuda.empty_cache()

    trainer.add_event_handler(Events.EPOCH_COMPLETED, Checkpoint(to_save, DiskSaver("out"), n_saved=2))
    if resume:
        Checkpoint.load_objects(to_load=to_save, checkpoint=torch.load(resume, map_location="cuda"))
    trainer.run(train, max_epochs=5)


def with_fastai(net):
    train, val = data()
    learn = Learner(DataLoaders(train, val), net, loss_func=torch.nn.MSELoss())
    learn.fit_one_cycle(3)
    learn.load("best")
    return learn.get_preds()
