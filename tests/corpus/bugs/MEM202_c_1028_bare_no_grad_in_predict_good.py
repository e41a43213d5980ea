import pickle

import torch
from flask import Flask, jsonify, request

from model import Translator

app = Flask(__name__)
with open("vocab.pkl", "rb") as f:
    vocab = pickle.load(f)
model = Translator(len(vocab))
model.load_state_dict(torch.load("best.pt", map_location="cpu"))
model.eval()


@app.post("/translate")
def translate():
    ids = torch.tensor([[vocab.get(w, 0) for w in request.json["text"].split()]])
    with torch.no_grad():
        logits = model(ids)
    return jsonify(tokens=logits.argmax(-1)[0].tolist())
