# what is called is a method by its verb, of an object that the configuration names, and no network

import hydra
import numpy as np
import torch


def main(cfg):
    wrapped = hydra.utils.instantiate(cfg.model)
    datamodule = hydra.utils.instantiate(cfg.dataset)
    torch.manual_seed(0)
    wrapped.eval()
    for loader in (datamodule.val_loader, datamodule.test_loader):
        inputs, predictions = wrapped.infer_model(loader)
        print(np.abs(predictions).max(), wrapped.explain_model(inputs), wrapped.query_model(loader))
        print(datamodule.benchmark_model(loader), wrapped.profile_net(loader))
