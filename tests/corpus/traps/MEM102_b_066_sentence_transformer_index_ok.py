import faiss
import numpy as np
import torch
from sentence_transformers import SentenceTransformer


def build(texts, bs=512):
    model = SentenceTransformer("all-MiniLM-L6-v2", device="cuda" if torch.cuda.is_available() else "cpu")
    index = faiss.IndexFlatIP(model.get_sentence_embedding_dimension())
    vecs = []
    for i in range(0, len(texts), bs):
        vecs.append(model.encode(texts[i:i + bs], normalize_embeddings=True))
    index.add(np.concatenate(vecs))
    return index
