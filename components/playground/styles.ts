/** The styles of a payment's page and of its diagram. Pages that only have the diagram import diagram.css. */
import "./diagram.css";
import "./playground.css";
