import pickle

import numpy as np
import torch
from joblib import load

device = "cuda"
stats = torch.load("mean_std.pt")
mean, std = stats["mean"].to(device), stats["std"].to(device)
scaler = load("scaler.joblib")
with open("vocab.pkl", "rb") as f:
    vocab = pickle.load(f)
embedding = torch.nn.Embedding.from_pretrained(torch.from_numpy(np.load("vectors.npy"))).to(device)
whole = torch.load("entire_model.pt", map_location=device, weights_only=False)
head = torch.nn.Linear(300, len(vocab)).to(device)
head.load_state_dict(whole.head.state_dict())
print((head(embedding.weight[:2]) - mean) / std)
