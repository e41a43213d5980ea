import json
import torch
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer


def main(path, out):
    tok = AutoTokenizer.from_pretrained("facebook/bart-large-cnn")
    model = AutoModelForSeq2SeqLM.from_pretrained("facebook/bart-large-cnn").to("cuda").eval()
    results = []
    for line in open(path):
        enc = tok(json.loads(line)["text"], return_tensors="pt", truncation=True).to("cuda")
        ids = model.generate(**enc, num_beams=4, max_new_tokens=128)
        results.append(tok.decode(ids[0], skip_special_tokens=True))
    json.dump(results, open(out, "w"))


main("in.jsonl", "out.json")
