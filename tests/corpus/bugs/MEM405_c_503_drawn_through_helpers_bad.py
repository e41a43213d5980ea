import torch
from torch.utils.data.dataloader import DataLoader
from torchvision import datasets, transforms
from tqdm import tqdm
import pytorch_lightning as pl

def sample(loader, device):
    x, y = iter(loader).__next__()  #! MEM405
    return x.to(device), y.to(device)

class T:
    def __init__(self, ds):
        self.dl = DataLoader(ds, 32, shuffle=True)
        self.net = torch.nn.Linear(3, 3)
        self.opt = torch.optim.SGD(self.net.parameters(), 0.1)
    @property
    def batch(self):
        return next(iter(self.dl))  #! MEM405
    def fit(self):
        for i in tqdm(range(1000)):
            x, y = self.batch
            x2, y2 = sample(self.dl, "cpu")
            loss = self.net(x).sum() + self.net(x2).sum()
            self.opt.zero_grad(); loss.backward(); self.opt.step()

def newbie(ds, net, opt):
    loader = DataLoader(ds, batch_size=3)
    get = lambda: next(iter(loader))  #! MEM405
    for epoch in range(20):
        for i in range(len(loader)):
            img, lab = next(iter(loader))  #! MEM405
            extra = get()
            def closure():
                opt.zero_grad()
                l = net(img).sum() + net(extra).sum()
                l.backward()
                return l
            opt.step(closure)
        val = next(iter(loader))

class Semi(pl.LightningModule):
    def __init__(self, ds):
        super().__init__()
        self.unlabeled_loader = DataLoader(ds, 4)
    def training_step(self, batch, idx):
        u = next(iter(self.unlabeled_loader))  #! MEM405
        if self.global_step % 100 == 0:
            v = next(iter(self.unlabeled_loader))
        return self(batch).sum() + self(u).sum()

def maml(model, opt, task_loader):
    for it in range(10000):
        tasks = next(iter(task_loader))  #! MEM405
        total = 0
        for t in tasks:
            total = total + model(t)  #? MEM118
        opt.zero_grad()
        total.backward()
        opt.step()

def dqn(buffer_loader, net, opt, env):
    for ep in range(100):
        done = False
        while not done:
            s, a = next(iter(buffer_loader))  #! MEM405
            loss = net(s).mean()
            opt.zero_grad(); loss.backward(); opt.step()

def peek(loader, net, opt):
    for epoch in range(3):
        first = True
        for x in loader:
            if first:
                ref = next(iter(loader))
                first = False
            opt.zero_grad(); net(x).sum().backward(); opt.step()
    it = iter(loader)
    while True:
        try:
            x = next(it)
        except StopIteration:
            it = iter(loader)
            continue
        opt.zero_grad(); net(x).sum().backward(); opt.step()
