import numpy as np
import pandas as pd
import torch
import torch.nn as nn
from sklearn.preprocessing import StandardScaler

device = "cuda" if torch.cuda.is_available() else "cpu"
frame = pd.read_csv("houses.csv")
scaler = StandardScaler()
features = scaler.fit_transform(frame.drop(columns=["price"]))
price = np.log1p(frame["price"].to_numpy().astype(float))
X = torch.from_numpy(features).to(device)  #! MEM304
y = torch.from_numpy(price).to(device)  #! MEM304
model = nn.Sequential(nn.Linear(X.shape[1], 64), nn.ReLU(), nn.Linear(64, 1)).double().to(device)  #! MEM304
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(100):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(X).squeeze(1), y)
    loss.backward()
    optimizer.step()
