import torch
from torch.utils.data import DataLoader
from transformers import AutoModel, AutoTokenizer


def encode(texts, name="bert-base-uncased"):
    tokenizer = AutoTokenizer.from_pretrained(name)
    bert = AutoModel.from_pretrained(name).eval()
    vectors = []
    for chunk in DataLoader(texts, batch_size=32):
        inputs = tokenizer(chunk, padding=True, truncation=True, return_tensors="pt")
        with torch.no_grad():
            outputs = bert(**inputs)
        vectors.append(outputs.last_hidden_state[:, 0])  #! MEM104
    return torch.cat(vectors)
