# the gradient with respect to the input is what the request asks for

import torch
from flask import Flask, jsonify, request
from nets import Ranker

app = Flask(__name__)
ranker = Ranker().cuda()
ranker.eval()


@app.route("/explain", methods=["POST"])
def explain():
    row = torch.tensor(request.json["row"]).cuda().requires_grad_()
    score = ranker(row).max()
    (slope,) = torch.autograd.grad(score, row)
    return jsonify({"score": score.item(), "slope": slope.tolist()})
