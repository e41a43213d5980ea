#!/usr/bin/env python
# coding: utf-8

# # Sentiment with LSTM

# In[1]:


import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")


# In[2]:


X_train, y_train = np.load("xtr.npy"), np.load("ytr.npy")
X_val, y_val = np.load("xva.npy"), np.load("yva.npy")
train_dl = DataLoader(TensorDataset(torch.tensor(X_train), torch.tensor(y_train).float()), batch_size=50, shuffle=True)
val_dl = DataLoader(TensorDataset(torch.tensor(X_val), torch.tensor(y_val).float()), batch_size=50)


# In[3]:


class Sentiment(nn.Module):
    def __init__(self, vocab=20000):
        super().__init__()
        self.emb = nn.Embedding(vocab, 400)
        self.lstm = nn.LSTM(400, 256, 2, dropout=0.5, batch_first=True)
        self.fc = nn.Linear(256, 1)

    def forward(self, x):
        o, _ = self.lstm(self.emb(x))
        return torch.sigmoid(self.fc(o[:, -1])).squeeze(1)


# In[4]:


model = Sentiment().to(device)
criterion = nn.BCELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
train_hist, val_hist = [], []

for epoch in range(4):
    ep = []
    model.train()
    for xb, yb in train_dl:
        xb, yb = xb.to(device), yb.to(device)
        model.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
        ep.append(loss.item())
    train_hist.append(sum(float(l) for l in ep) / len(ep))
    model.eval()
    ev = []
    for xb, yb in val_dl:
        with torch.no_grad():
            out = model(xb.to(device))
            ev.append(criterion(out, yb.to(device)).item())
    val_hist.append(np.mean(ev))
    print(epoch, train_hist[-1], val_hist[-1])


# In[5]:


import matplotlib.pyplot as plt

plt.plot(train_hist)
plt.plot(val_hist)
plt.show()
