# a whole data set on the GPU, handed out without workers

import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset


class OnDevice(Dataset):
    def __init__(self, x):
        self.x = x.cuda()

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i]


net = torch.nn.Linear(4, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
data = torch.randn(100, 4)
for loader in (DataLoader(OnDevice(data), batch_size=5), DataLoader(TensorDataset(data.cuda()), batch_size=5)):
    for x in loader:
        opt.zero_grad()
        net(x if torch.is_tensor(x) else x[0]).mean().backward()
        opt.step()
