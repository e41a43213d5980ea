import torch
from torch.autograd import Variable
from torch.utils.data import DataLoader, TensorDataset


class Fitter:
    def __init__(self, use_cuda=False):
        self.net = torch.nn.Sequential(torch.nn.Linear(12, 24), torch.nn.ReLU(), torch.nn.Linear(24, 3))
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=1e-3)
        self.criterion = torch.nn.CrossEntropyLoss()
        self.use_cuda = use_cuda
        data = TensorDataset(torch.randn(96, 12), torch.randint(0, 3, (96,)))
        self.trainloader = DataLoader(data, batch_size=16, shuffle=True)

    def run(self):
        for batch_idx, (inputs, targets) in enumerate(self.trainloader):
            if self.use_cuda:
                inputs, targets = inputs.cuda(), targets.cuda()
            x = Variable(inputs, requires_grad=True)  #! MEM128
            self.optimizer.zero_grad()
            loss = self.criterion(self.net(x), Variable(targets))
            loss.backward()
            self.optimizer.step()


for epoch in range(2):
    Fitter().run()
