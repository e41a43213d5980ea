# in inference mode, or the function is no handler and its callers are out of view

import torch
from fastapi import FastAPI
from nets import Ranker

app = FastAPI()
ranker = Ranker().cuda().eval()


@app.post("/rank")
async def rank(rows: list[list[float]]):
    with torch.inference_mode():
        scores = ranker(torch.tensor(rows).cuda())
    return {"scores": scores.tolist()}


@app.get("/health")
@torch.no_grad()
def health():
    return {"mean": ranker(torch.zeros(1, 8).cuda()).mean().item()}
