"""A Flask service that loads the model with every picture of a request."""
import flask
import numpy as np
import tensorflow as tf
from PIL import Image

app = flask.Flask(__name__)


@app.route("/predict", methods=["POST"])
def predict():
    answers = []
    for f in flask.request.files.getlist("images"):
        model = tf.keras.models.load_model("model.keras")  #! MTF108
        x = np.asarray(Image.open(f).resize((224, 224)))[None] / 255.0
        answers.append(model.predict(x).tolist())  #? MTF111
    return flask.jsonify(answers)
