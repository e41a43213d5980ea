# a list of states, a device in the configuration, a handler that fills all objects

import glob

import torch
from ignite.handlers import Checkpoint
from zoo import Net, get_model


def load(path):
    checkpoint = torch.load(path)  #! MEM701 warning
    config = checkpoint["config"]
    model = get_model(config["model"]).to(config["device"])
    model.load_state_dict(checkpoint["state_dict"])
    return model


def resume(path, net, opt):
    state = torch.load(path)  #! MEM701 warning
    Checkpoint.load_objects(to_load={"model": net, "optimizer": opt}, checkpoint=state)


def predict(states, loader):
    net = Net()
    for x in loader:
        for state in states:
            net.load_state_dict(state["model"])
            with torch.no_grad():
                yield net(x).softmax(1).cpu()


states = [torch.load(name) for name in glob.glob("fold*.pt")]  #! MEM701 warning
for p in predict(states, torch.randn(10, 4, 3)):
    print(p.argmax(1).tolist())
