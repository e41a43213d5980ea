# the scaler of a data pipeline is no GradScaler

import torch
from sklearn.preprocessing import StandardScaler

scaler = StandardScaler()
features = torch.tensor(scaler.fit_transform([[1.0, 2.0], [3.0, 5.0]]), dtype=torch.float32)
net = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(10):
    loss = net(features).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
