# a server loads its model again for each request, in the handler or in a helper of it

import numpy as np
import tensorflow as tf
from fastapi import FastAPI
from flask import Flask, jsonify, request

app = Flask(__name__)
api = FastAPI()


@app.route("/score", methods=["POST"])
def score():
    model = tf.keras.models.load_model("scores.keras")  #! MTF108 warning
    return jsonify(model.predict(np.asarray(request.get_json()["rows"])).tolist())


def load(name):
    return tf.keras.models.load_model(f"{name}.keras")  #! MTF108 warning


@api.post("/label/{name}")
async def label(name: str, rows: list[float]):
    network = load(name)
    return {"label": int(network.predict(np.asarray([rows])).argmax())}
