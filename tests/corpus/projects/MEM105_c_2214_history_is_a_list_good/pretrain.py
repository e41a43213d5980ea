import torch
import torchvision
from torch.utils.data import DataLoader

from lib import BYOL
from lib.history import History


def pretrain(loader, epochs, device):
    learner = BYOL(torchvision.models.resnet18()).to(device)
    opt = torch.optim.Adam(learner.parameters(), 3e-4)
    history = History()
    for epoch in range(epochs):
        for (a, b), _ in loader:
            loss = learner(a.to(device), b.to(device))
            opt.zero_grad()  #? MEM122
            loss.backward()
            opt.step()
            learner.update_target()
            history.log(loss=loss.item(), epoch=epoch)
        print(epoch, history.mean("loss"))
    return learner


pretrain(DataLoader(torch.load("views.pt"), 256), 100, torch.device("cuda"))
