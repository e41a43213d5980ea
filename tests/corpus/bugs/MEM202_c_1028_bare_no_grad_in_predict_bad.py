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
torch.no_grad()  #! MEM202


@app.post("/translate")
def translate():
    ids = torch.tensor([[vocab.get(w, 0) for w in request.json["text"].split()]])
    logits = model(ids)  #? MEM201
    return jsonify(tokens=logits.argmax(-1)[0].tolist())
