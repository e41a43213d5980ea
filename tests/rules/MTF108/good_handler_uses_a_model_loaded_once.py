# the model is loaded when the server starts, at the first request, or by a helper that remembers it

from functools import lru_cache

import numpy as np
import tensorflow as tf
from fastapi import FastAPI
from flask import Flask, jsonify, request

app = Flask(__name__)
api = FastAPI()
started = tf.keras.models.load_model("scores.keras")
late = None


@app.route("/score", methods=["POST"])
def score():
    return jsonify(started.predict(np.asarray(request.get_json()["rows"])).tolist())


@app.route("/late", methods=["POST"])
def score_late():
    global late
    if late is None:
        late = tf.keras.models.load_model("late.keras")
    return jsonify(late.predict(np.asarray(request.get_json()["rows"])).tolist())


@lru_cache(maxsize=2)
def load(name):
    return tf.keras.models.load_model(f"{name}.keras")


@api.post("/label/{name}")
async def label(name: str, rows: list[float]):
    return {"label": int(load(name).predict(np.asarray([rows])).argmax())}


@app.route("/again", methods=["POST"])
def fresh():
    tf.keras.backend.clear_session()
    model = tf.keras.models.load_model("scores.keras")
    return jsonify(model.predict(np.asarray(request.get_json()["rows"])).tolist())


def fetch(client, name):
    rows = client.get("/rows")
    return tf.keras.models.load_model(name).predict(rows)
