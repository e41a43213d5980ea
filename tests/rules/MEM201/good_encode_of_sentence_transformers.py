# `encode` and `predict` see to the grad mode themselves

import torch
from sentence_transformers import CrossEncoder, SentenceTransformer

encoder = SentenceTransformer("all-MiniLM-L6-v2").to("cuda")
judge = CrossEncoder("cross-encoder/ms-marco-MiniLM-L6-v2")
encoder.eval()
for line in open("questions.txt"):
    vector = torch.from_numpy(encoder.encode(line))
    print(vector.norm().item(), judge.predict([(line, line)]))
