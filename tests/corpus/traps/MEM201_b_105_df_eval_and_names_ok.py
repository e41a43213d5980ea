import pandas as pd
import torch


class Model:
    def __init__(self, df):
        self.df = df

    def eval(self, expr):
        return self.df.eval(expr)

    def __call__(self, x):
        return x["a"] + x["b"]


def evaluate(path):
    model = Model(pd.read_csv(path))
    model.eval("c = a + b")
    total_loss = 0
    rows = []
    for _, x in model.df.iterrows():
        loss = model(x)
        total_loss += loss
        rows.append(loss)
    return torch.tensor(rows).mean() / total_loss
