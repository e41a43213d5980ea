import pandas as pd
import torch
import torch.nn as nn
from sklearn.preprocessing import StandardScaler

df = pd.read_csv("housing.csv")
cols = ["area", "price_per_m2", "age", "distance"]
X = StandardScaler().fit_transform(df[cols].values)
y = df[["price"]].values / 1000.0
device = "cuda"
features = torch.tensor(X).to(device)  #! MEM304
target = torch.from_numpy(y).to(device)  #! MEM304
net = nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 1)).double().to(device)  #! MEM304
opt = torch.optim.Adam(net.parameters(), 1e-2)
for epoch in range(2000):
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(features), target)
    loss.backward()
    opt.step()
