import json

import torch
from transformers import AutoModel, AutoTokenizer

tok = AutoTokenizer.from_pretrained("roberta-base")
enc = AutoModel.from_pretrained("roberta-base").eval()


@torch.inference_mode()
def embed(lines, bs=32):
    vecs = []
    for i in range(0, len(lines), bs):
        batch = tok(lines[i:i + bs], return_tensors="pt", padding=True, truncation=True)
        hidden = enc(**batch).last_hidden_state
        vecs.append(hidden[:, 0, :])  #! MEM104
    return torch.cat(vecs)


if __name__ == "__main__":
    texts = [json.loads(line)["text"] for line in open("corpus.jsonl")]
    torch.save(embed(texts), "emb.pt")
