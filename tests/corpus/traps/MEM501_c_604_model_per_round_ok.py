import gc

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer


def score(name, texts):
    tok = AutoTokenizer.from_pretrained(name)
    model = AutoModelForSequenceClassification.from_pretrained(name).cuda().eval()
    with torch.no_grad():
        out = model(**tok(texts, return_tensors="pt", padding=True).to("cuda")).logits.cpu()
    del model
    gc.collect()
    torch.cuda.empty_cache()
    return out


texts = open("lines.txt").read().splitlines()
scores = []
for name in ["bert-base-uncased", "roberta-base", "xlnet-base-cased"]:
    scores.append(score(name, texts))
print(torch.stack(scores).mean(0))
