# the handler asks a helper, and gives its callers a list of numbers

import torch
from fastapi import FastAPI
from nets import Ranker

app = FastAPI()
ranker = Ranker()
ranker.load_state_dict(torch.load("ranker.pt", map_location="cpu"))
ranker.to("cuda").eval()


def scores_of(rows):
    return ranker(torch.tensor(rows).cuda()).softmax(-1).tolist()  #! MEM201


@app.post("/rank")
async def rank(rows: list[list[float]]):
    return {"scores": scores_of(rows)}
