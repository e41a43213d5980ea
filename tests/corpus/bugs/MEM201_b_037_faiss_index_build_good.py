import faiss
import numpy as np
import torch
from transformers import AutoModel, AutoTokenizer


class Encoder:
    def __init__(self, name="sentence-transformers/all-MiniLM-L6-v2", device="cuda"):
        self.tok = AutoTokenizer.from_pretrained(name)
        self.model = AutoModel.from_pretrained(name).to(device)
        self.model.eval()
        self.device = device

    @staticmethod
    def pool(hidden, mask):
        m = mask.unsqueeze(-1).float()
        return (hidden * m).sum(1) / m.sum(1).clamp(min=1e-9)

    @torch.no_grad()
    def encode(self, texts, batch_size=256):
        out = []
        for i in range(0, len(texts), batch_size):
            enc = self.tok(texts[i:i + batch_size], padding=True, truncation=True, return_tensors="pt").to(self.device)
            hidden = self.model(**enc).last_hidden_state
            vec = torch.nn.functional.normalize(self.pool(hidden, enc["attention_mask"]), dim=-1)
            out.append(vec.detach().cpu().numpy())
        return np.concatenate(out)


class Index:
    def __init__(self, dim):
        self.index = faiss.IndexFlatIP(dim)
        self.docs = []

    def add(self, docs, vecs):
        self.docs.extend(docs)
        self.index.add(vecs.astype("float32"))

    def search(self, q, k=10):
        d, i = self.index.search(q.astype("float32"), k)
        return [[(self.docs[j], float(s)) for s, j in zip(ds, js)] for ds, js in zip(d, i)]


def main(corpus_path, queries):
    enc = Encoder()
    index = Index(384)
    chunk = []
    with open(corpus_path) as f:
        for line in f:
            chunk.append(line.strip())
            if len(chunk) == 50_000:
                index.add(chunk, enc.encode(chunk))
                chunk = []
    if chunk:
        index.add(chunk, enc.encode(chunk))
    for hits in index.search(enc.encode(queries)):
        print(hits[:3])
